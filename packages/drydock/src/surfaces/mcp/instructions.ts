/** Shown to the model on the other side. */
export const INSTRUCTIONS = `Drydock runs code, commands and whole goals in a sandbox under its owner's policy, and records everything.

Which tool:
- execute_code: a single piece of Python, Node or Bash. The value of the last expression comes back as \`result\`.
- session_open, then session_exec: several steps that share variables and files. A failed step changes nothing. session_rollback returns to an earlier step. session_fork copies a session, to try several ways from one state. session_close when done.
- run_command: one program with arguments on a workspace, such as a test run.
- execute_python_task, execute_python_workflow: you describe the work in words; Drydock's own model writes the code.
- run_goal: a change to a workspace that has to be proved by checks before it is delivered. Takes minutes.
- run_diff, run_apply: look at and deliver what a run changed. run_replay executes a run again from its record and compares.
- Tools with two underscores in their names (\`curl__get\`), where the server offers any: what extensions declare. The \`session\` of a result, given to the next as \`_session\`, lets its values use {{ last.text }} and {{ last.json.path }}.

What to know:
- Each result says \`ok\`. Where it is false, \`error\` has a code, a message and a hint: follow the hint, don't repeat the same call.
- There is no network and no access to files outside the workspace unless the owner's policy says so. \`policy\` in a request can ask for anything up to the owner's ceiling, never beyond; ask a person to change the owner's policy, as the hint says.
- A workspace is not changed by runs. Changes wait in the run until run_apply, or until a goal has passed its checks.
- Files that code writes come back as artifacts: pictures are shown, others are linked as drydock:// resources. Save charts to a file, such as chart.png.`;

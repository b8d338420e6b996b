"""What a process gives up before it may run anything: the steps of containment, the root that it sees, the filters, the
control groups. Runs in the fork server and in a member while it is built.

Imports nothing of the other packages."""

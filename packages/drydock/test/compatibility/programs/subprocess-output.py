import subprocess
import sys

done = subprocess.run([sys.executable, "-c", "import sys; print(sys.argv[1:]); sys.exit(3)", "a", "b"], capture_output=True, text=True)
print(done.returncode, done.stdout, done.stderr)
print(subprocess.check_output("echo $((1+2)) | tr 3 4", shell=True, text=True))
subprocess.run(["sh", "-c", "exit 2"], check=True)

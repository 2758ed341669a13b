"""`cmake --install`, where only what ./mayfly-demo builds was built: it puts in place all that the README says."""
import glob
import os
import subprocess

from harness import HERE, Cli

cli = Cli()
done = subprocess.run([os.environ["CMAKE"], "--install", os.environ["BUILD"], "--prefix", cli.path("usr")],
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
cli.check("it installs", done.returncode == 0, done.stdout)
for name in ("bin/mayfly", "lib/mayfly/libmayfly.so"):
    cli.check(name + " is there", os.path.isfile(cli.path("usr", name)))
pages = [os.path.basename(page)[:-len(".md")] for page in glob.glob(os.path.join(HERE, "../../doc/man/*.1.md"))]
cli.equal("the man pages are there, if there is a pandoc", sorted(pages) if os.environ["PANDOC"] == "1" else [],
          sorted(map(os.path.basename, glob.glob(cli.path("usr", "share/man/man1/*")))))
cli.done()

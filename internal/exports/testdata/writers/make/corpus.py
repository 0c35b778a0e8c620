"""The corpus: its folder, its manifest, and how a tool is run."""

import json
import os
import shutil
import subprocess

import model

HERE = os.path.dirname(os.path.abspath(__file__))
NODE = os.path.join(HERE, "node", "write.mjs")


class Corpus:
    def __init__(self, folder, scratch):
        self.folder, self.scratch = folder, scratch
        self.lines = []
        self.versions = {}

    def version(self, tool, command):
        """The version of a tool: the first line that a command prints, asked for once."""
        if tool not in self.versions:
            out = subprocess.run(command, shell=True, capture_output=True, text=True)
            text = (out.stdout + out.stderr).strip().splitlines()
            self.versions[tool] = text[0] if text else "unknown"
        return self.versions[tool]

    def path(self, name):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path.rstrip("/")), exist_ok=True)
        return path

    def put(self, name, data):
        """Writes an input of a tool into the scratch folder."""
        path = os.path.join(self.scratch, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if isinstance(data, bytes):
            with open(path, "wb") as f:
                f.write(data)
        else:
            with open(path, "w", encoding="utf-8", newline="") as f:
                f.write(data if isinstance(data, str) else json.dumps(data, ensure_ascii=False))
        return path

    def run(self, command, **env):
        """Runs a shell command in the scratch folder."""
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=self.scratch, env={**os.environ, **env}, capture_output=True)
        if done.returncode:
            raise RuntimeError(f"{command}\n{done.stderr.decode(errors='replace')[-2000:]}")
        return done.stdout

    def keep(self, name):
        """Moves a file or folder of the scratch folder into the corpus."""
        target = self.path(name)
        if name.endswith("/"):
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(os.path.join(self.scratch, name), target)
        else:
            shutil.copyfile(os.path.join(self.scratch, name), target)
            os.chmod(target, 0o644)

    def made(self, command, name, **env):
        """Runs a command that writes the named file, and keeps the file."""
        self.run(command, **env)
        self.keep(name)

    def line(self, file, tool, version, command, profile, cells, source=None, malformed=0, **more):
        """Adds a line of the manifest."""
        line = {"file": file, "tool": tool, "version": version, "command": command, "profile": profile, "source": source or {}}
        if cells is not None:
            line.update(model.expected(profile, cells, malformed))
        line.update(more)
        self.lines = [other for other in self.lines if other["file"] != file] + [line]

    def save(self, only):
        """Writes the manifest. Lines of families that were not made stay as they were."""
        path = os.path.join(self.folder, "manifest.ndjson")
        old = []
        if only and os.path.exists(path):
            made = {line["file"] for line in self.lines}
            with open(path, encoding="utf-8") as f:
                old = [line for line in map(json.loads, f) if line["file"] not in made]
        lines = sorted(old + self.lines, key=lambda line: line["file"])
        with open(path, "w", encoding="utf-8") as f:
            for line in lines:
                f.write(json.dumps(line, ensure_ascii=False) + "\n")
        return len(lines)

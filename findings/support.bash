# Sourced by every finding, with a temporary folder: pinned packages, and the comparison. It ends with 0
# (as described), 1 (changed) or 2 (it could not be played).
set -euo pipefail
# The Node of the project, if it is installed: the one of the runner.
PATH=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/node_modules/.bin:$PATH
folder=$1
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export XDG_CACHE_HOME=$folder/.cache npm_config_cache=$folder/.npm npm_config_update_notifier=false
touch seen.txt

# Installs packages of npm, and prints their versions. With NEWEST set, it takes the newest ones.
install() { # NAME@VERSION…
  local package packages=()
  for package; do packages+=("${package%@*}@$([ "${NEWEST:-}" ] && echo latest || echo "${package##*@}")"); done
  echo "{}" > package.json
  npm install --silent --no-audit --no-fund --no-package-lock --ignore-scripts "${packages[@]}" ||
    { echo 'The packages cannot be installed.' && exit 2; }
  versions "$(node -e '
    const { readFileSync } = require("node:fs")
    const name = (text) => text.replace(/@[^@]*$/, "")
    const version = (text) => JSON.parse(readFileSync(`node_modules/${name(text)}/package.json`)).version
    console.log(process.argv.slice(1).map((text) => `${name(text)} ${version(text)}`).join(", "))
  ' "$@")"
}

# The same for packages of PyPI: python/bin/python then has them.
install_python() { # NAME==VERSION…
  local packages=("$@")
  [ -z "${NEWEST:-}" ] || packages=("${@%%==*}")
  python3 -m venv python &&
    python/bin/pip install --quiet --no-cache-dir --disable-pip-version-check "${packages[@]}" ||
    { echo 'The packages cannot be installed.' && exit 2; }
  python/bin/python -c '
import importlib.metadata, platform, sys
names = [text.split("==")[0] for text in sys.argv[1:]]
versions = [f"{name} {importlib.metadata.version(name)}" for name in names]
print("Versions:", ", ".join([*versions, f"Python {platform.python_version()}"]))
  ' "$@"
}

versions() { # [NAME VERSION, …]
  echo "Versions: ${*:+$*, }Node $(node -p process.versions.node)"
}

# Runs a program, and shows and keeps what it prints. It may fail, but not take too long.
play() { # PROGRAM ARGUMENT…
  local status=0
  timeout 120 "$@" > output.txt 2>&1 || status=$?
  tee -a seen.txt < output.txt
  [ $status != 124 ] || { echo 'It took more than two minutes.' && exit 2; }
}

# Compares what was seen with the standard input.
described() {
  cat > described.txt
  diff described.txt seen.txt > difference.txt && echo 'as described' && exit
  printf 'changed (< described, > seen)\n' && cat difference.txt && exit 1
}

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
names = [text.split("==")[0].split("[")[0] for text in sys.argv[1:]]
versions = [f"{name} {importlib.metadata.version(name)}" for name in names]
print("Versions:", ", ".join([*versions, f"Python {platform.python_version()}"]))
  ' "$@"
}

# Builds main.go, with modules of Go: ./finding is the program then.
build_go() { # MODULE@VERSION…
  command -v go > /dev/null || { echo 'There is no Go here.' && exit 2; }
  export HOME=$folder GOPATH=$folder/go GOCACHE=${GOCACHE:-$folder/cache} GOTOOLCHAIN=local CGO_ENABLED=0
  export GOFLAGS='-modcacherw -buildvcs=false'
  local found='' module modules=()
  for module; do modules+=("${module%@*}@$([ "${NEWEST:-}" ] && echo latest || echo "${module##*@}")"); done
  { go mod init finding && { [ $# = 0 ] || go get "${modules[@]}"; } && go build -o finding .; } > build.txt 2>&1 ||
    { cat build.txt && echo 'The program cannot be built.' && exit 2; }
  [ $# = 0 ] || found=$(go list -f '{{.Module.Path}} {{.Module.Version}},' "${modules[@]%@*}" | tr '\n' ' ')
  versions "$found$(go env GOVERSION | sed 's/go/Go /')"
}

# The same for packages of Maven Central: $classpath then has them and the current folder.
install_java() { # GROUP:NAME:VERSION…
  command -v mvn > /dev/null || { echo 'There is no Maven here.' && exit 2; }
  export HOME=$folder
  local package group name version found=()
  {
    echo '<project><modelVersion>4.0.0</modelVersion><groupId>finding</groupId>'
    echo '<artifactId>finding</artifactId><version>1</version><dependencies>'
    for package; do
      IFS=: read -r group name version <<< "$package"
      echo "<dependency><groupId>$group</groupId><artifactId>$name</artifactId>"
      echo "<version>$([ "${NEWEST:-}" ] && echo RELEASE || echo "$version")</version></dependency>"
    done
    echo '</dependencies></project>'
  } > pom.xml
  mvn --quiet --batch-mode -Dmaven.repo.local="$folder/maven" dependency:build-classpath \
    -Dmdep.outputFile=classpath.txt > build.txt 2>&1 ||
    { cat build.txt && echo 'The packages cannot be installed.' && exit 2; }
  classpath=.:$(cat classpath.txt)
  for package; do
    IFS=: read -r group name version <<< "$package"
    found+=("$name $(tr : '\n' < classpath.txt | sed -n "s|.*/$name-\([0-9][^/]*\)\.jar$|\1|p" | head -1),")
  done
  versions "${found[*]} Java $(java -XshowSettings:properties -version 2>&1 | sed -n 's/ *java.version = //p')"
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

# Sourced by the scripts at the root: installs what is missing, and only that.
# shellcheck shell=bash

say() {
	printf '\n== %s\n' "$*"
}

die() {
	printf '%s\n' "$*" >&2
	exit 1
}

# Whether a package is there. node, npm and pip may have come from elsewhere than Debian.
has_package() {
	[ "$1" = viewer ] && command -v "${2%js}" >/dev/null && return
	[ "$2" = python3-pip ] && python3 -m pip --version >/dev/null 2>&1 && return
	dpkg-query -W -f '${db:Status-Status}\n' "$2" 2>/dev/null | grep -qx installed
}

# The packages of the kinds given (tools/packages.txt) that are not installed.
missing_packages() {
	local kind package
	while read -r kind package; do
		case " $* " in
		*" $kind "*)
			has_package "$kind" "$package" || printf '%s\n' "$package"
			;;
		esac
	done <tools/packages.txt
}

# javac beside jvmti.h: in JAVA_HOME, or where the javac on the PATH really is.
find_jdk() {
	local javac
	if [ -n "${JAVA_HOME:-}" ] && [ -f "$JAVA_HOME/include/jvmti.h" ] && [ -x "$JAVA_HOME/bin/javac" ]; then
		printf '%s\n' "$JAVA_HOME"
		return
	fi
	javac=$(command -v javac) || return 1
	javac=$(readlink -f "$javac")
	javac=${javac%/bin/javac}
	[ -f "$javac/include/jvmti.h" ] && printf '%s\n' "$javac"
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "This needs root, and there is no sudo. As root, run: $*"
	fi
}

install_packages() {
	as_root apt-get update -qq &&
		as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# need_packages KIND…: has them all installed, and a JDK.
need_packages() {
	local packages=()
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
		say "This is no Debian: the packages are yours to install (their Debian names are in tools/packages.txt)"
		find_jdk >/dev/null || die "No JDK was found: install one (11 or later) or set JAVA_HOME."
		return
	fi
	mapfile -t packages < <(missing_packages "$@")
	find_jdk >/dev/null || packages+=(default-jdk-headless)
	if [ "${#packages[@]}" -gt 0 ]; then
		mkdir -p build
		say "Installing what is missing: ${packages[*]} (the log is in build/packages.log)"
		if ! install_packages "${packages[@]}" >build/packages.log 2>&1; then
			tail -n 40 build/packages.log >&2
			die "They could not be installed; all of it is in build/packages.log."
		fi
	fi
	find_jdk >/dev/null || die "No JDK with jvmti.h was found: set JAVA_HOME to one (11 or later)."
}

# build PRESET [TARGET...]: configures and builds it in build/PRESET.
build() {
	local preset=$1 log=build/$1.log
	shift
	local targets=()
	[ $# -eq 0 ] || targets=(--target "$@")
	mkdir -p build
	say "Building $preset (the log is in $log)"
	if ! { JAVA_HOME=$(find_jdk) cmake --preset "$preset" && cmake --build --preset "$preset" "${targets[@]}" -j "$(nproc)"; } >"$log" 2>&1; then
		tail -n 40 "$log" >&2
		die "The build of $preset failed; all of it is in $log."
	fi
}

#!/bin/sh
# Attaches to real VMs of each JDK, and to what must be refused.
# usage: attach_jvms.sh PROBE AGENT CLASSES JAVA_HOME...   (TAP on stdout; JAVA_HOMEs need no javac)
set -u
probe=$1 agent=$2 classes=$3
shift 3
work=$(mktemp -d) || exit 1
chmod 755 "$work"
# Other users' programs load them too, and the build may be in a home that they can't look into.
cp "$classes/AttachIdle.class" "$agent" "$work" && chmod 755 "$work/AttachIdle.class" "$work/${agent##*/}" || exit 1
classes=$work agent=$work/${agent##*/}
number=0 failed=0 pid='' holder=''

# A VM that runs until its input, a pipe that we hold open, is closed. Sets pid.
start() {
	rm -f "$work/in" "$work/out"
	mkfifo "$work/in" "$work/out"
	(cd "$classes" && exec "$@" -Xmx64m -cp . AttachIdle) <"$work/in" >"$work/out" 2>"$work/err" &
	holder=$!
	exec 8>"$work/in" 9<"$work/out"
	read -r pid <&9
	# What a killed one that had this number has left, maybe another user's.
	find /tmp -maxdepth 1 -name ".java_pid$pid" ! -newer "$work/in" -delete
}

stop() {
	exec 8>&- 9<&-
	wait "$holder"
	rm -f "/tmp/.java_pid$pid" "/tmp/.attach_pid$pid"
}

trap 'exec 8>&- ; rm -rf "$work"' EXIT

# expect NAME PATTERN ARGUMENTS-OF-PROBE...
expect() {
	name=$1 pattern=$2
	shift 2
	number=$((number + 1))
	got=$("$probe" "$@" 2>&1)
	if printf '%s\n' "$got" | grep -Eq "$pattern"; then
		echo "ok $number - $name: $got"
	else
		failed=1
		echo "not ok $number - $name: want $pattern, got: $got"
	fi
}

skip() {
	number=$((number + 1))
	echo "ok $number - $1 # skip $2"
}

alive() {
	number=$((number + 1))
	if kill -0 "$pid" 2>/dev/null; then echo "ok $number - $1: still alive"; else
		failed=1
		echo "not ok $number - $1: dead"
	fi
}

for home; do
	java=$home/bin/java
	release=$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$home/release")
	start "$java"
	expect "$release loads" '^ok 0$' "$pid" 30000 load "$agent"
	expect "$release passes options and the result" '^ok 7$' "$pid" 30000 load "$agent" rc=7
	expect "$release passes a negative result" '^ok -3$' "$pid" 30000 load "$agent" rc=-3
	expect "$release jcmd" '^ok 0 .*VM' "$pid" 30000 jcmd VM.version
	expect "$release no such library" '^error -37 .*/nowhere.so' "$pid" 30000 load /nowhere.so
	expect "$release no absolute path" '^error -8 ' "$pid" 30000 load nowhere.so
	alive "$release"
	stop

	start "$java"
	kill -STOP "$pid"
	while [ "$(awk '$1 == "State:" { print $2 }' "/proc/$pid/status")" != T ]; do :; done
	expect "$release stopped" '^error -32 .*kill -CONT' "$pid" 30000 load "$agent"
	kill -CONT "$pid"
	stop

	start "$java" -XX:+DisableAttachMechanism
	expect "$release attaching off" '^error -36 .*DisableAttachMechanism' "$pid" 30000 load "$agent"
	stop

	start "$java" -Xrs
	expect "$release -Xrs" '^ok 0$' "$pid" 30000 load "$agent"
	alive "$release -Xrs"
	stop

	start "$java" -XX:+PerfDisableSharedMem
	expect "$release no counters" '^ok 0$' "$pid" 30000 load "$agent"
	stop

	case $release in
	11* | 17*) ;;
	*)
		start "$java" -XX:-EnableDynamicAgentLoading
		expect "$release loading off" '^error -37 .*EnableDynamicAgentLoading' "$pid" 30000 load "$agent"
		stop
		;;
	esac

	if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups "$java" -version >/dev/null 2>&1; then
		start setpriv --reuid 65534 --regid 65534 --clear-groups "$java"
		expect "$release root to another user's" '^ok 0$' "$pid" 30000 load "$agent"
		stop
		start "$java"
		cp "$probe" "$work/probe"
		saved=$probe probe=setpriv
		expect "$release another user's" '^error -10 .*belongs to user 0' \
			--reuid 65534 --regid 65534 --clear-groups "$work/probe" "$pid" 30000 load "$agent"
		probe=$saved
		alive "$release another user's"
		stop
	else
		skip "$release users" "needs root and a JDK that others can run"
	fi

	if [ "$(id -u)" = 0 ] && unshare --pid --fork --mount-proc true 2>/dev/null; then
		start unshare --mount --pid --fork --mount-proc sh -c \
			'mount -t tmpfs none /tmp && cp AttachIdle.class /tmp && cd /tmp && exec "$@"' sh "$java"
		inside=$pid
		read -r pid _ <"/proc/$holder/task/$holder/children"
		expect "$release process $inside of another namespace" '^ok 0 .*VM' "$pid" 30000 jcmd VM.version
		stop
	else
		skip "$release namespaces" "needs root, outside of a chroot"
	fi
done

sleep 1000 &
pid=$!
expect 'not a Java VM' '^error -33 .*not a Java VM' "$pid" 1000 load "$agent"
alive 'not a Java VM'
kill "$pid"
wait "$pid" 2>/dev/null
expect 'no such process' '^error -30 ' "$pid" 1000 load "$agent"
echo "1..$number"
exit $failed

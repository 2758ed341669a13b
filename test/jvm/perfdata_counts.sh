#!/bin/sh
# Collections as jvmstat/cycles.h counts them against the VM's own log, for each JDK and collector.
# usage: perfdata_counts.sh AGENT CLASSES JAVA_HOME...   (TAP on stdout; JAVA_HOMEs need no javac)
set -u
agent=$1 classes=$2
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 failed=0

# The log's counts, of the pauses after the first `skip`, `seen` of them ("all" where one pause of JVMTI
# can be two collections). A collection counts with its first pause; a major, as cycles.h does, with the third.
from_log() {
	awk -v skip="$2" -v seen="$3" '
	match($0, /GC\([0-9]+\) ([yYO]: )?Pause .*ms$/) {
		text = substr($0, RSTART)
		if (++n <= skip || (seen != "all" && n > skip + seen)) next
		id = text; sub(/\).*/, "", id); sub(/.*\(/, "", id)
		# Generational Shenandoah: an old marking ends under the number of the young it began with.
		if (!(id in ids) || text ~ /Final Mark \(Old\)/) { ids[id]; cycle++ }
		if (text ~ /Pause Young/) young++
		if (text ~ /Pause Young \(Mixed\)/) mixed++
		if (text ~ /Pause Full/) full++
		if (text ~ /Pause Remark/) concurrent++
		if (text ~ /y: Pause Mark Start/) minor++
		if (text ~ /Pause Full|Init Mark \(Global\)/) whole++
		if (text ~ /Final Mark \(Old\)/) old++
		if (text ~ /Y: Pause Relocate Start/ && !(id in majors)) { majors[id]; major++ }
	}
	END { print "young", young + 0; print "mixed", mixed + 0; print "full", full + 0
		print "concurrent", concurrent + 0; print "minor", minor + 0
		print "major", major + 0; print "cycle", cycle + 0; print "all", cycle + 0
		print "old", old + 0; print "whole", whole + 0 }' "$1"
}

value() { awk -v key="$2" '$1 == key { print $2 }' "$1"; }

# check KINDS: those of the agent and the log must agree; mixed, and what generational Shenandoah does to
# the old generation, are lower bounds.
check() {
	for kind in $1; do
		[ "$(value "$work/agent" "$kind")" = "$(value "$work/log" "$kind")" ] || return 1
	done
	case $(value "$work/agent" gc) in *Shenandoah*)
		[ "$(value "$work/agent" concurrent)" -le "$(value "$work/log" old)" ] &&
			[ "$(value "$work/agent" major)" -le "$(value "$work/log" whole)" ] || return 1
		;;
	esac
	[ "$(value "$work/agent" mixed)" -le "$(value "$work/log" mixed)" ] &&
		[ "$(value "$work/agent" bad_ages)" = 0 ]
}

run() { # JAVA_HOME NAME KINDS LEAST PROGRAM-ARGUMENTS FLAGS...
	home=$1 name=$2 kinds=$3 least=$4 program=$5
	shift 5
	number=$((number + 1))
	rm -f "$work/agent" "$work/gc.log"
	# shellcheck disable=SC2086 # program is a list
	"$home/bin/java" -XX:+UnlockExperimentalVMOptions "$@" -Xms256m \
		"-Xlog:gc*:file=$work/gc.log:tags:filecount=0" "-agentpath:$agent=$work/agent" \
		-cp "$classes" PerfdataChurn $program >"$work/out" 2>&1
	status=$?
	seen=all
	case $name in *Serial* | *Parallel*) ;; *) seen=$(awk '$1 == "pauses" { print $3 }' "$work/agent") ;; esac
	from_log "$work/gc.log" "$(awk '$1 == "pauses" { print $2 }' "$work/agent")" "$seen" >"$work/log"
	total=0
	for kind in $kinds; do total=$((total + $(value "$work/agent" "$kind"))); done
	case $name in *Shenandoah*) seen_kinds="$kinds minor concurrent major" ;; *) seen_kinds=$kinds ;; esac
	if [ $status = 0 ] && check "$kinds" && [ "$total" -ge "$least" ]; then
		echo "ok $number - $name: $(for k in $seen_kinds; do printf '%s %s ' "$(value "$work/agent" "$k")" "$k"; done)"
	else
		failed=1
		echo "not ok $number - $name"
		paste -d' ' "$work/agent" /dev/null | sed 's/^/#   agent: /'
		sed 's/^/#   log: /' "$work/log"
		sed 's/^/#   java: /' "$work/out"
	fi
}

for home; do
	release=$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$home/release")
	for program in "2000 60 0" "3000 60 3"; do
		run "$home" "$release Serial, $program" "young full" 10 "$program" -XX:+UseSerialGC -Xmx256m
		run "$home" "$release Parallel, $program" "young full" 10 "$program" -XX:+UseParallelGC -Xmx256m
		run "$home" "$release G1, $program" "young full concurrent" 10 "$program" -XX:+UseG1GC -Xmx256m
		run "$home" "$release Shenandoah, $program" "cycle" 5 "$program" -XX:+UseShenandoahGC -Xmx256m
		case $release in
		11* | 17*) run "$home" "$release Z, $program" "cycle" 5 "$program" -XX:+UseZGC -Xmx256m ;;
		21*)
			run "$home" "$release Z, $program" "cycle" 5 "$program" -XX:+UseZGC -Xmx256m
			run "$home" "$release generational Z, $program" "minor major" 5 "$program" \
				-XX:+UseZGC -XX:+ZGenerational -Xmx256m
			;;
		*)
			run "$home" "$release generational Z, $program" "minor major" 5 "$program" -XX:+UseZGC -Xmx256m
			run "$home" "$release generational Shenandoah, $program" "all" 5 "$program" \
				-XX:+UseShenandoahGC -XX:ShenandoahGCMode=generational -Xmx256m
			;;
		esac
	done
	run "$home" "$release G1 mixed" "young full concurrent" 10 "4000 90 0" -XX:+UseG1GC -Xmx320m \
		-XX:G1HeapWastePercent=1 -XX:G1MixedGCLiveThresholdPercent=95
done
echo "1..$number"
exit $failed

#!/bin/sh
# Time and memory of `mayfly report` on a large trace: report_big.sh BUILD_FOLDER [MEGABYTES]. Needs its bench_report_big.
set -eu
build=$1
megabytes=${2:-200}
trace=$(mktemp /tmp/report_big.XXXXXX)
trap 'rm -f "$trace"' EXIT
"$build/bench/bench_report_big" "$trace" "$megabytes"
echo "trace: $(wc -c <"$trace") bytes"
for form in "" "--json" "--clock mb" "--tree"; do
	# shellcheck disable=SC2086
	/usr/bin/time -f "report $form: %e s, %U s of processor, %M KiB at most" "$build/bin/mayfly" report "$trace" $form >/dev/null
done

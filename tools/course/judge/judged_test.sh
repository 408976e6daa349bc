#!/bin/sh
# Runs a judge: judged_test.sh JUDGE ARGUMENT...
judge=$1
shift
exec "./$judge" "$@"

#!/usr/bin/env bash
# What the tests need and PyPI has not: a Chromium for the browser tests, libseccomp for the sandbox,
# iproute2 for hosts of their own, RabbitMQ for the tests of faults.
set -euo pipefail
missing=()
command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium fonts-dejavu-core)
ldconfig -p | grep -q libseccomp.so.2 || missing+=(libseccomp2)
[ -x /usr/bin/python3 ] || missing+=(python3)
command -v ip >/dev/null || missing+=(iproute2)
[ -x /usr/lib/rabbitmq/bin/rabbitmq-server ] || missing+=(rabbitmq-server)
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "The tests need these packages: ${missing[*]}. Install them, for example: sudo apt-get install ${missing[*]}" >&2
    exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

"""What is deployed: linters and schemas accept it, its commands and variables are there."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena_service.quotas import Quotas

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
BIN = Path(sys.executable).parent
COMPOSE = DEPLOY / "compose" / "compose.yaml"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
PROCESSES = {"engine", "api", "control", "beat", "matches", "dashboard"}
BROKER = "INTERREX_BROKER_URL"
SECRETS = {"INTERREX_DATABASE_URL", BROKER}


def run(*command: str | Path) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def services() -> dict[str, dict[str, Any]]:
    """The arena's own containers of the compose file."""
    every = yaml.safe_load(COMPOSE.read_text())["services"]
    return {name: each for name, each in every.items() if name in PROCESSES}


def resources(kind: str) -> dict[str, dict[str, Any]]:
    """The resources of a kind in all manifests, by name."""
    documents = (each for path in MANIFESTS for each in yaml.safe_load_all(path.read_text()))
    return {each["metadata"]["name"]: each for each in documents if each["kind"] == kind}


def containers() -> dict[str, dict[str, Any]]:
    """The only container of each Deployment."""
    found = {}
    for name, deployment in resources("Deployment").items():
        (found[name],) = deployment["spec"]["template"]["spec"]["containers"]
    return found


def test_the_image_is_linted() -> None:
    run(BIN / "hadolint", DEPLOY / "image" / "Dockerfile")


def test_the_compose_file_has_its_schema() -> None:
    run(BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE)


def test_the_manifests_have_their_schemas() -> None:
    run(BIN / "kubernetes-validate", "--strict", "--quiet", *MANIFESTS)


def test_both_run_the_same_processes_by_the_same_commands() -> None:
    assert services().keys() == containers().keys() == PROCESSES
    for name, service in services().items():
        mine, its = service["command"], containers()[name]["command"]
        assert mine == its or (name == "matches" and mine[:-1] == its[:-1])


@pytest.mark.parametrize("name", sorted(PROCESSES))
def test_every_command_is_there_with_its_options(name: str) -> None:
    command = containers()[name]["command"]
    program, *words = command
    if program == "celery":
        words = words[: words.index("worker" if "worker" in words else "beat") + 1]
    else:
        words = words[:2]
    shown = run(BIN / program, *words, "--help")
    for option in (word for word in command if re.fullmatch(r"--[a-z-]+=?", word)):
        assert option.rstrip("=") in shown


def test_every_variable_is_one_that_is_read() -> None:
    code = "".join(
        path.read_text()
        for folder in ("arena_service", "engine_service", "workers", "dashboard", "cli")
        for path in (ROOT / folder).rglob("*.py")
    )
    files = [COMPOSE, DEPLOY / "image" / "Dockerfile", *MANIFESTS]
    named = {v for path in files for v in re.findall(r"INTERREX_[A-Z_]+", path.read_text())}
    of_compose_alone = {"INTERREX_SLOTS", "INTERREX_API_PORT", "INTERREX_GRAFANA_PORT"}
    quotas = {f"INTERREX_QUOTA_{each.name.upper()}" for each in fields(Quotas)}
    assert {name for name in named - quotas if name not in code} == of_compose_alone


def test_match_workers_hold_no_password_and_reach_no_store() -> None:
    service, container = services()["matches"], containers()["matches"]
    assert not SECRETS & service["environment"].keys()
    assert service["networks"] == ["work"]
    assert not any("secretRef" in source for source in container["envFrom"])
    assert not SECRETS & {each["name"] for each in container["env"]}
    egress = resources("NetworkPolicy")["matches"]["spec"]["egress"]
    assert {port["port"] for rule in egress for port in rule["ports"]} == {50061, 50062, 53}


def test_each_process_holds_the_passwords_that_it_needs() -> None:
    needed = dict.fromkeys(("api", "control", "dashboard"), SECRETS) | {"beat": {BROKER}}
    for name, service in services().items():
        assert SECRETS & service["environment"].keys() == needed.get(name, set()), name
    for name, container in containers().items():
        given = {each["name"] for each in container.get("env", ())} & SECRETS
        if any("secretRef" in source for source in container["envFrom"]):
            given = SECRETS
        assert given == needed.get(name, set()), name


def test_who_sends_webhooks_reaches_the_world_and_knows_the_dashboard() -> None:
    networks = yaml.safe_load(COMPOSE.read_text())["networks"]
    control = services()["control"]
    assert any(not networks[name].get("internal") for name in control["networks"])
    assert "INTERREX_DASHBOARD_URL" in control["environment"]
    assert "INTERREX_DASHBOARD_URL" in resources("ConfigMap")["interrex-addresses"]["data"]


def test_every_container_is_bounded_and_watched() -> None:
    for name, container in containers().items():
        assert container["securityContext"]["readOnlyRootFilesystem"], name
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}, name
        assert container["resources"]["limits"]["memory"], name
        assert name == "beat" or "readinessProbe" in container, name
    for name, service in services().items():
        assert service["read_only"], name
        assert name == "beat" or "healthcheck" in service, name


def test_a_match_gets_its_grace_before_the_kill() -> None:
    service, deployment = services()["matches"], resources("Deployment")["matches"]
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert grace(service["command"]) < int(service["stop_grace_period"].rstrip("s"))
    assert grace(container["command"]) < pod["terminationGracePeriodSeconds"]


def grace(command: list[str]) -> int:
    return int(command[command.index("--grace") + 1])

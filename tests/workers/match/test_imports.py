"""Running matches needs the engine's client and the sandbox, no arena and no database."""

import grimp

ROOMS = ("workers.match", "workers.sandbox")
# The engine's client with the errors it raises; playing at home also reads manifests and seeds.
ALLOWED = {"engine_service.client", "engine_service.core.errors"}
AT_HOME = {"bots.manifest", "engine_service.core.seeds"}


def test_match_running_imports_the_engine_client_only() -> None:
    graph = grimp.build_graph("workers", "bots", "engine_service", "arena_service", "cli")
    for module in sorted(graph.modules):
        if not module.startswith(ROOMS):
            continue
        imported = graph.find_modules_directly_imported_by(module)
        elsewhere = {name for name in imported if not name.startswith(ROOMS)}
        allowed = ALLOWED | (AT_HOME if module == "workers.match.local" else set())
        assert elsewhere <= allowed, module

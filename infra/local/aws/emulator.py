"""Starts ministack as `python -m ministack` does, but with another server, on its own port only, and with fewer processes for
functions. ../LOCAL-AWS.md says why."""

import time

import hypercorn.asyncio
import uvicorn
from ministack.core import lambda_runtime

# Absent on some systems: see requirements.in.
try:
    import uvloop

    uvloop.install()
except ImportError:
    pass

INSTANCES_WITHOUT_WAIT = 8
LONGEST_WAIT_SECONDS = 5


def serve(app, config):
    """Stands in for Hypercorn's `serve`, with the settings that ministack gives it."""
    host, port = config.bind[0].rsplit(":", 1)
    return uvicorn.Server(
        uvicorn.Config(
            app,
            host=host,
            port=int(port),
            ssl_certfile=config.certfile,
            ssl_keyfile=config.keyfile,
            timeout_keep_alive=int(config.keep_alive_timeout),
            # Long polls and invocations may be in progress.
            timeout_graceful_shutdown=1,
            # ministack sends these headers itself, as AWS does.
            server_header=config.include_server_header,
            date_header=config.include_date_header,
            proxy_headers=False,
            ws="none",
            access_log=False,
            log_config=None,
        )
    ).serve()


acquire_or_refuse = lambda_runtime.acquire_worker


def acquire_worker(func_name, config, code_zip, qualifier="$LATEST", max_concurrency=None):
    """Leases an instance of a function. When that many are busy, it waits for one of them before it starts another. It never waits
    for long, because a function that invokes itself holds the instance that it waits for."""
    deadline = time.monotonic() + LONGEST_WAIT_SECONDS
    while max_concurrency is None and time.monotonic() < deadline:
        worker, how = acquire_or_refuse(func_name, config, code_zip, qualifier, INSTANCES_WITHOUT_WAIT)
        if worker is not None:
            return worker, how
        time.sleep(0.02)
    return acquire_or_refuse(func_name, config, code_zip, qualifier, max_concurrency)


# ministack's other modules import both names later.
hypercorn.asyncio.serve = serve
lambda_runtime.acquire_worker = acquire_worker

from ministack.app import main  # noqa: E402

main()

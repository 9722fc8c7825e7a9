"""Starts ministack as `python -m ministack` does, but with another server, and on its own port only. ../LOCAL-AWS.md says why."""

import hypercorn.asyncio
import uvicorn

# Absent on some systems: see requirements.in.
try:
    import uvloop

    uvloop.install()
except ImportError:
    pass


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


# ministack imports it from there when it starts.
hypercorn.asyncio.serve = serve

from ministack.app import main  # noqa: E402

main()

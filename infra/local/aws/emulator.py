"""Starts ministack as `python -m ministack` does, but with another server, and on its own port only. ../LOCAL-AWS.md says why."""

import queue
import threading
import time

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
from ministack.core import lambda_runtime  # noqa: E402
from ministack.services import lambda_svc, sts  # noqa: E402

# Instances of functions start in threads, and each registers its role's session. ministack looks through all sessions meanwhile, so
# two starts at the same moment failed both invocations.
register_session = sts.register_session
registering = threading.Lock()


def register_one_at_a_time(*args, **kwargs):
    with registering:
        return register_session(*args, **kwargs)


sts.register_session = register_one_at_a_time


def logged_by(worker, first_line_wait=0.01):
    """What a function logged in an invocation that has answered. It wrote the lines before its answer, so they come at once.

    ministack waits 50 ms for the first line, and looks every millisecond. Most invocations log nothing.
    """
    lines = []
    until = time.monotonic() + 0.25
    patience = first_line_wait
    try:
        while time.monotonic() < until:
            lines.append(worker._stderr_queue.get(timeout=patience))
            patience = 0.005
    except queue.Empty:
        pass
    return "\n".join(lines)


lambda_runtime.Worker._drain_stderr_bounded = logged_by

start_instance_at_once = lambda_svc.acquire_worker
taking = threading.Lock()


def take_instance(name, config, code, qualifier="$LATEST", started_at_once=2, patience=0.5):
    """A free instance of a function, or a new one.

    ministack starts another instance for each call that finds none free. On two cores that takes longer than most calls.
    """
    key = lambda_runtime._worker_key(name, config, qualifier)
    until = time.monotonic() + patience
    while True:
        # Otherwise two calls could take the same instance for free, and the later would start another.
        with taking:
            instances = lambda_runtime._workers.get(key, ())
            is_one_free = not all(instance.in_use for instance in instances)
            if is_one_free or len(instances) < started_at_once or time.monotonic() > until:
                return start_instance_at_once(name, config, code, qualifier=qualifier)
        time.sleep(0.005)


lambda_svc.acquire_worker = take_instance

# An instance whose handler throws lives on, as on AWS. ministack ends an instance that answers "error". So it answers "ok" with a
# mark, for which the error is put back afterwards. A handler's promise may fail, or the handler itself.
for thrown in ('status: "error", error: String(err.message || err)', 'status: "error", error: e.message, trace'):
    if thrown not in lambda_runtime._NODEJS_WORKER_SCRIPT:
        raise RuntimeError("This version of ministack answers for a handler that throws in another way")
    lambda_runtime._NODEJS_WORKER_SCRIPT = lambda_runtime._NODEJS_WORKER_SCRIPT.replace(
        thrown, thrown.replace('"error"', '"ok", thrown: true')
    )
invoke = lambda_runtime.Worker.invoke


def invoke_and_keep(self, *args, **kwargs):
    answer = invoke(self, *args, **kwargs)
    return {**answer, "status": "error"} if answer.pop("thrown", False) else answer


lambda_runtime.Worker.invoke = invoke_and_keep

main()

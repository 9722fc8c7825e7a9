"""Signs the requests of schemathesis: the operator API's for AWS, the payment service's as its document says."""

import hashlib
import hmac
import itertools
import json
import os
from urllib.parse import parse_qsl, quote

import requests.auth
import schemathesis

callers = json.loads(os.environ["SCHEMATHESIS_CALLERS"])
clock = itertools.count(int(os.environ["SCHEMATHESIS_CLOCK_MS"]) * 1_000_000)
"""Nanoseconds, because each signature is accepted only once."""


def component(text):
    """Encodes text like JavaScript's encodeURIComponent."""
    return quote(text, safe="!'()*-._~")


def merchant_of(request):
    """Sandbox controls set faults and delete records, so they use a separate merchant."""
    return callers["steering" if request.path_url.startswith("/sandbox") else "merchant"]


class ApiKey(requests.auth.AuthBase):
    """The header `Authorization` of the payment service."""

    def __call__(self, request):
        request.headers["Authorization"] = f"Bearer {merchant_of(request)['apiKey']}"
        return request


class Signature(requests.auth.AuthBase):
    """The three headers of the payment service's signed requests."""

    def __call__(self, request):
        merchant = merchant_of(request)
        path, _, query = request.path_url.partition("?")
        pairs = sorted(parse_qsl(query, keep_blank_values=True), key=lambda pair: pair[0])
        if pairs:
            path += "?" + "&".join(f"{component(name)}={component(value)}" for name, value in pairs)
        body = request.body or b""
        body_hash = hashlib.sha256(body if isinstance(body, bytes) else body.encode()).hexdigest()
        timestamp = str(next(clock))
        signed = f"{timestamp}.{request.method}.{path}.{body_hash}"
        request.headers["X-Client-ID"] = merchant["clientId"]
        request.headers["X-Timestamp"] = timestamp
        request.headers["X-Signature"] = hmac.new(
            merchant["clientSecret"].encode(), signed.encode(), hashlib.sha256
        ).hexdigest()
        return request


class Iam(requests.auth.AuthBase):
    """
    Names the principal, as Signature Version 4 does. Nothing is signed here, because IAM verifies signatures, not our
    functions; test/e2e sends signed requests. The person who approves a batch is not the one who started it.
    """

    def __call__(self, request):
        decides = request.path_url.endswith(("/approve", "/reject"))
        key = callers["decider" if decides else "starter"]
        request.headers["Authorization"] = f"AWS4-HMAC-SHA256 Credential={key}/20260105/none/execute-api/aws4_request"
        return request


def asks_for(scheme):
    def matches(ctx):
        document = ctx.operation.schema.raw_schema
        security = ctx.operation.definition.raw.get("security", document.get("security", []))
        return any(scheme in alternative for alternative in security)

    return matches


for scheme, scheme_auth in {"apiKey": ApiKey(), "signature": Signature(), "sigv4": Iam()}.items():
    schemathesis.auth.set_from_requests(scheme_auth).apply_to(asks_for(scheme))

import type { Who } from "./who";

export function pythonExample({ gateway, agent, keyFile, owner }: Who): string {
  return `import base64, datetime, hashlib, json, pathlib, secrets
import urllib.error, urllib.parse, urllib.request
from cryptography.hazmat.primitives.serialization import load_pem_private_key

GATEWAY = "${gateway}"
DID = "${agent}"
OWNER = "${owner}"
KEY = load_pem_private_key(pathlib.Path("${keyFile}").read_bytes(), password=None)


def call(method, path, query=None, body=None):
    data = b"" if body is None else json.dumps(body).encode()
    encode = lambda part: urllib.parse.quote(part, safe="")
    pairs = sorted((query or {}).items())
    search = "&".join(f"{encode(name)}={encode(value)}" for name, value in pairs)
    ts = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    nonce = secrets.token_hex(16)
    authority = urllib.parse.urlsplit(GATEWAY).netloc.lower()
    digest = hashlib.sha256(data).hexdigest()
    text = "\\n".join(["PROF-Signature-v1", method, authority, path, search, ts, nonce, digest])
    sig = base64.b64encode(KEY.sign(text.encode())).decode()
    request = urllib.request.Request(
        GATEWAY + path + (f"?{search}" if search else ""),
        method=method,
        data=data or None,
        headers={
            "Authorization": f'PROF-Signature did="{DID}", sig="{sig}", ts="{ts}", nonce="{nonce}"',
            "Content-Type": "application/json",
        },
    )
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        return json.load(refusal)


profile = f"/prof/v1/profile/{OWNER}"
print(call("GET", profile, query={"scopes": "prof:preferences"}))
print(call("POST", f"{profile}/memories/propose", body={
    "category": "prof:interests", "content": "Plays chess on Sundays.", "confidence": 0.9,
}))
print(call("GET", f"{profile}/proposals", query={"status": "pending", "limit": "10"}))`;
}

import type { Who } from "./who";

export function bashSetup({ gateway, agent, keyFile, owner }: Who): string {
  return `GATEWAY=${gateway}
AGENT=${agent}
KEY=${keyFile}
OWNER=${owner}

# signed METHOD PATH [QUERY [BODY]]
# QUERY is in canonical form already: sorted by name, values percent-encoded.
signed() {
  local method=$1 path=$2 query=\${3-} body=\${4-} ts nonce hash text sig
  local send=()
  if [ -n "$body" ]; then send=(-H "Content-Type: application/json" --data-binary "$body"); fi
  ts=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  nonce=$(openssl rand -hex 16)
  hash=$(printf %s "$body" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
  text=$(mktemp)
  printf 'PROF-Signature-v1\\n%s\\n%s\\n%s\\n%s\\n%s\\n%s\\n%s' \\
    "$method" "\${GATEWAY#*://}" "$path" "$query" "$ts" "$nonce" "$hash" > "$text"
  sig=$(openssl pkeyutl -sign -rawin -inkey "$KEY" -in "$text" | openssl base64 -A)
  rm "$text"
  curl -sS -X "$method" "$GATEWAY$path\${query:+?$query}" "\${send[@]}" \\
    -H "Authorization: PROF-Signature did=\\"$AGENT\\", sig=\\"$sig\\", ts=\\"$ts\\", nonce=\\"$nonce\\""
}`;
}

export const bashCalls = `# what the policies show without asking
signed GET "/prof/v1/profile/$OWNER"

# one scope; 403 PROF004 until the owner consents
signed GET "/prof/v1/profile/$OWNER" 'scopes=prof%3Ainterests'

# ask for it
signed POST "/prof/v1/profile/$OWNER/access" '' \\
  '{"scopes":["prof:interests"],"purpose":{"type":"personalization","retention":"session_only"}}'

# propose a memory
signed POST "/prof/v1/profile/$OWNER/memories/propose" '' \\
  '{"category":"prof:interests","content":"Plays chess on Sundays.","confidence":0.9}'

# what became of it
signed GET "/prof/v1/profile/$OWNER/proposals"`;

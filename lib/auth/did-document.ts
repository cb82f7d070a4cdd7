import type { Did } from "@/lib/protocol/did";
import { jwkOf, multibaseOf } from "./keys/public-key";

/** W3C DID Core 1.0: each active key, as Multikey and as JsonWebKey. */
export function didDocument(did: Did, publicKeys: readonly Buffer[]): object {
  const methods = publicKeys.flatMap((publicKey) => {
    const publicKeyMultibase = multibaseOf(publicKey);
    const id = `${did}#${publicKeyMultibase}`;
    return [
      { id, type: "Multikey", controller: did, publicKeyMultibase },
      { id: `${id}-jwk`, type: "JsonWebKey", controller: did, publicKeyJwk: jwkOf(publicKey) },
    ];
  });
  return {
    "@context": [
      "https://www.w3.org/ns/did/v1",
      "https://w3id.org/security/multikey/v1",
      "https://w3id.org/security/jwk/v1",
    ],
    id: did,
    verificationMethod: methods,
    authentication: methods.map(({ id }) => id),
    assertionMethod: methods.map(({ id }) => id),
  };
}

import { expect, test } from "vitest";
import { isOwnResource, resourceMetadata, serverMetadata } from "./metadata";

const issuer = "https://gw.example";

test.each([
  [true, undefined],
  [true, "https://gw.example/mcp"],
  [true, "https://gw.example/mcp/"],
  [true, "HTTPS://GW.example/mcp"],
  [true, "https://gw.example"],
  [false, "https://gw.example/prof"],
  [false, "https://gw.example/mcp?x"],
  [false, "https://gw.example/mcp#x"],
  [false, "https://gw.example:444/mcp"],
  [false, "https://other.example/mcp"],
  [false, "mcp"],
])("that it is ours is %s of the resource %s", (isOwn, resource) => {
  expect(isOwnResource(resource, issuer)).toBe(isOwn);
});

test("the documents name each other, and ask for S256 and no secret", () => {
  expect(resourceMetadata(issuer)).toMatchObject({
    resource: `${issuer}/mcp`,
    authorization_servers: [issuer],
  });
  expect(serverMetadata(issuer)).toMatchObject({
    issuer,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    client_id_metadata_document_supported: true,
  });
});

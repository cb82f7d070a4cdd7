import { type Endpoint, endpoints } from "@/lib/protocol/endpoints";
import type { Check } from "../../check";
import { claim, refused } from "../../expect";
import type { Kit } from "../../kit";
import { noProposal, profilePath } from "../../state";

const unknown = "Protocol 6, Unknown path or method";
const ambiguous = "Protocol 2, A decoded path segment";

const unknownPaths: [id: string, path: (kit: Kit) => string][] = [
  ["root", () => "/prof"],
  ["version", () => "/prof/v1"],
  ["other-version", (kit) => profilePath(kit).replace("/v1/", "/v2/")],
  ["noun", () => "/prof/v1/profiles"],
  ["case", (kit) => profilePath(kit).replace("profile", "Profile")],
  ["below", (kit) => profilePath(kit, "/memories/all")],
  ["review", (kit) => profilePath(kit, `/proposals/${noProposal}`)],
];

const ambiguousPaths: [id: string, what: string, segment: string][] = [
  ["slash", "an encoded slash", "did:prof:user:local%2Falice"],
  ["backslash", "an encoded backslash", "did:prof:user:local%5Calice"],
  ["nul", "an encoded NUL", "did:prof:user:local:alice%00"],
  ["newline", "an encoded line feed", "did:prof:user:local:alice%0A"],
];

const otherMethods: [method: string, endpoint: Endpoint][] = [
  ...Object.values(endpoints).map((endpoint): [string, Endpoint] => [
    endpoint.method === "GET" ? "POST" : "GET",
    endpoint,
  ]),
  ["PUT", endpoints.getProfile],
  ["PATCH", endpoints.getProfile],
  ["DELETE", endpoints.getProfile],
  ["OPTIONS", endpoints.getProfile],
];

export const paths: Check[] = [
  ...unknownPaths.map(
    ([id, path]): Check => ({
      id: `paths.unknown.${id}`,
      sentence: "An unknown path is 404 PROF003 in the envelope.",
      cites: unknown,
      run: async (kit) => {
        refused(await kit.call({ target: path(kit) }), "PROF003");
      },
    }),
  ),
  ...otherMethods.map(
    ([method, { name, path, method: own }]): Check => ({
      id: `paths.method.${method}.${name}`,
      sentence: `${method} ${path} is 405 PROF006, and Allow names ${own}.`,
      cites: unknown,
      run: async (kit) => {
        const target = path.replace("{did}", encodeURIComponent(kit.options.userDid));
        const reply = await kit.call({
          method,
          target: target.replace("{proposalId}", noProposal),
        });
        refused(reply, "PROF006", 405);
        const allowed = String(reply.headers.allow).split(/\s*,\s*/);
        claim(allowed.includes(own), `Allow is ${reply.headers.allow}`, reply);
      },
    }),
  ),
  {
    id: "paths.method.HEAD.getProfile",
    sentence: "HEAD is 405 too, without a body.",
    cites: unknown,
    run: async (kit) => {
      const { status, text } = await kit.call({ method: "HEAD", target: profilePath(kit) });
      claim(status === 405 && text === "", `HEAD is answered with HTTP ${status}`);
    },
  },
  ...ambiguousPaths.map(
    ([id, what, segment]): Check => ({
      id: `paths.ambiguous.${id}`,
      sentence: `A path segment with ${what} is 400 PROF006.`,
      cites: ambiguous,
      run: async (kit) => {
        refused(await kit.call({ target: `/prof/v1/profile/${segment}` }), "PROF006");
      },
    }),
  ),
];

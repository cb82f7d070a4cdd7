import { endpoints } from "@/lib/protocol/endpoints";
import type { Check } from "../../check";
import { claim, refused, succeeded } from "../../expect";
import type { Kit } from "../../kit";
import { profilePath } from "../../state";

const unsupported = "Protocol 8, Versions: anything else is 400 PROF006";

export const versions: Check[] = [
  ...(
    [
      ["absent", "no PROF-Version", null],
      ["1", "PROF-Version: 1", "1"],
      ["1.0", "PROF-Version: 1.0", "1.0"],
    ] as const
  ).map(
    ([id, what, version]): Check => ({
      id: `versions.${id}`,
      sentence: `A request with ${what} is answered as 1.0.`,
      cites: version === null ? "Spec, Versioning 2" : "Protocol 8, Versions",
      run: async (kit) => {
        const reply = await asking(kit, version);
        succeeded(reply, endpoints.listMemories);
        claim(
          reply.headers["prof-version"] === "1.0",
          "PROF-Version of the answer is not 1.0",
          reply,
        );
      },
    }),
  ),
  ...(["2", "2.0", "1.1", "0.9", "1.0.0", "v1", "latest", "1.0, 2.0"] as const).map(
    (version): Check => ({
      id: `versions.refuses.${version.replace(", ", "-and-")}`,
      sentence: `PROF-Version: ${version} is 400 PROF006.`,
      cites: unsupported,
      run: async (kit) => {
        refused(await asking(kit, version), "PROF006");
      },
    }),
  ),
  {
    id: "versions.supported.details",
    sentence: "The refusal lists what is supported in details.supportedVersions.",
    cites: unsupported,
    run: async (kit) => {
      const { details } = refused(await asking(kit, "3.0"), "PROF006");
      const versions = details?.supportedVersions;
      claim(Array.isArray(versions) && versions.includes("1.0"), "supportedVersions lacks 1.0");
    },
  },
  {
    id: "versions.refused-answer",
    sentence: "The refusal itself says which version it was answered in.",
    cites: "Spec, Versioning 3",
    run: async (kit) => {
      const reply = await asking(kit, "4.0");
      claim(
        reply.headers["prof-version"] === "1.0",
        "PROF-Version of the refusal is not 1.0",
        reply,
      );
    },
  },
  {
    id: "versions.profile",
    sentence: "A profile has a version field of its own.",
    cites: "Spec, Versioning 4",
    run: async (kit) => {
      const { data } = succeeded(
        await kit.call({ target: profilePath(kit) }),
        endpoints.getProfile,
      );
      claim(/^\d+\.\d+$/.test(data.version), `data.version is ${data.version}`);
    },
  },
];

function asking(kit: Kit, version: string | null) {
  const target = profilePath(kit, "/memories?limit=1");
  return kit.call({ target, headers: { "PROF-Version": version } });
}

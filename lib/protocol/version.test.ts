import { describe, expect, it } from "vitest";
import { latestVersion, resolveVersion, supportedVersions } from "./version";

it("a request without PROF-Version gets the latest", () => {
  expect(resolveVersion(null)).toBe(latestVersion);
  expect(resolveVersion(undefined)).toBe(latestVersion);
});

it("the latest version is a supported one", () => {
  expect(supportedVersions).toContain(latestVersion);
});

describe("a supported version has two spellings", () => {
  it.each(["1", "1.0"])("%j", (header) => {
    expect(resolveVersion(header)).toBe("1.0");
  });
});

describe("any other version is not supported", () => {
  it.each(["", "0", "2", "1.1", "1.00", "01", "v1", " 1", "1 ", "1.0, 1.0", "latest"])(
    "%j",
    (header) => {
      expect(resolveVersion(header)).toBeNull();
    },
  );
});

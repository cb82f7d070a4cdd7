import type { ProfileArchive } from "@/lib/protocol/archive/profile-archive";
import { parseDid } from "@/lib/protocol/did";
import type { Issue } from "@/lib/protocol/errors";
import { isAgentPattern } from "./agent-pattern";
import { commonBytesMax, faultOfValueName, valueBytesMax } from "./named-value";

const issuesMax = 20;
const receiptMsMax = 24 * 60 * 60_000;

/** Returns the faults of a well-formed archive, each with its path. */
export function faultsOfArchive(archive: ProfileArchive): Issue[] {
  const issues: Issue[] = [];
  const check = (holds: boolean, path: string, message: string) => {
    if (!holds && issues.length < issuesMax) issues.push({ path, message });
  };
  checkOnce(archive, check);
  const isCommonWithin = bytesOf(archive.profile.common) <= commonBytesMax;
  check(isCommonWithin, "profile.common", "Must not be larger than 64 KiB.");
  archive.namedValues.forEach(({ name, value }, at) => {
    const fault = faultOfValueName(name);
    check(fault === null, `namedValues.${at}.name`, fault ?? "");
    const isWithin = value !== undefined && bytesOf(value) <= valueBytesMax;
    check(isWithin, `namedValues.${at}.value`, "Must be there, and at most 16 KiB.");
  });
  archive.memories.forEach(({ source, agentDid }, at) => {
    const path = `memories.${at}.agentDid`;
    check(source !== "agent" || agentDid !== null, path, "Must name the agent that it came from.");
    check(agentDid === null || isAgent(agentDid), path, "Must be the DID of an agent.");
  });
  archive.proposals.forEach(({ status, reviewedAt, ...proposal }, at) => {
    const path = `proposals.${at}`;
    check(isAgent(proposal.agentDid), `${path}.agentDid`, "Must be the DID of an agent.");
    check(
      (status === "pending") === (reviewedAt === null),
      `${path}.reviewedAt`,
      "Must be there when it was decided, and only then.",
    );
    const lasts = proposal.expiresAt > proposal.proposedAt;
    check(lasts, `${path}.expiresAt`, "Must be later than proposedAt.");
  });
  archive.policies.forEach(({ agentPattern }, at) => {
    check(
      isAgentPattern(agentPattern),
      `policies.${at}.agentPattern`,
      "Must be a DID of an agent, or a pattern of one.",
    );
  });
  archive.consentRequests.forEach(({ status, decidedAt }, at) => {
    check(
      (status === "pending") === (decidedAt === null),
      `consentRequests.${at}.decidedAt`,
      "Must be there when it was decided, and only then.",
    );
  });
  checkInquiries(archive, check);
  checkReceipts(archive, check);
  return issues;
}

type Check = (holds: boolean, path: string, message: string) => void;

function checkInquiries(archive: ProfileArchive, check: Check): void {
  for (const list of ["proposals", "consentRequests"] as const) {
    archive[list].forEach(({ inquiry }, at) => {
      const { answer = null, answeredAt = null } = inquiry ?? {};
      check(
        (answer === null) === (answeredAt === null),
        `${list}.${at}.inquiry.answeredAt`,
        "Must be there when it was answered, and only then.",
      );
    });
  }
}

function checkReceipts(archive: ProfileArchive, check: Check): void {
  archive.receipts.forEach(({ grantedAt, expiresAt }, at) => {
    const lasts = Date.parse(expiresAt) - Date.parse(grantedAt);
    check(
      lasts > 0 && lasts <= receiptMsMax,
      `receipts.${at}.expiresAt`,
      "Must be at most 24 hours after grantedAt.",
    );
  });
}

function checkOnce(archive: ProfileArchive, check: Check): void {
  const { namedValues, memories, proposals, policies, consentRequests, receipts } = archive;
  const pendingProposals = proposals.filter(({ status }) => status === "pending");
  const pendingRequests = consentRequests.filter(({ status }) => status === "pending");
  const keys: [string, (string | null)[]][] = [
    ["namedValues", namedValues.map(({ category, name }) => `${category} ${name}`)],
    ["memories", memories.map(({ id }) => id)],
    ["memories", memories.map(({ proposalId }) => proposalId)],
    ["proposals", proposals.map(({ id }) => id)],
    [
      "proposals",
      pendingProposals.map((one) => JSON.stringify([one.agentDid, one.category, one.content])),
    ],
    ["policies", policies.map(({ id }) => id)],
    ["consentRequests", consentRequests.map(({ id }) => id)],
    [
      "consentRequests",
      pendingRequests.map(({ agentDid, purposeType }) => `${agentDid} ${purposeType}`),
    ],
    ["receipts", receipts.map(({ id }) => id)],
  ];
  for (const [list, all] of keys) {
    const there = all.filter((key) => key !== null);
    check(new Set(there).size === there.length, list, "Must not hold the same one twice.");
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function isAgent(did: string): boolean {
  return parseDid(did)?.kind === "agent";
}

import { type Client, createClient } from "@/lib/protocol/client";
import type { Did } from "@/lib/protocol/did";
import type { Io } from "./command";
import { readSettings, type Settings } from "./config";
import { UsageError } from "./failure";
import type { Given } from "./given";
import { readPrivateKey } from "./key-file";

export interface Connection {
  client: Client;
  settings: Settings;
  /** The profile that calls are about; null if the token names it. */
  profileDid: Did | null;
}

/** Returns a client for the caller's credential. */
export function connect(given: Given, io: Io, { needsProfile = true } = {}): Connection {
  const settings = readSettings(given, io);
  const { url: baseUrl, token } = settings;
  const shared = { baseUrl, fetch: io.fetch, now: io.now };
  const client =
    token === undefined
      ? createClient({ ...shared, ...signerOf(settings, io) })
      : createClient({ ...shared, token });
  return { client, settings, profileDid: needsProfile ? profileOf(given, settings) : null };
}

/** Returns who signs, and with which key. */
export function signerOf({ did, key }: Settings, io: Io): { did: Did; privateKey: JsonWebKey } {
  if (did === undefined) {
    throw new UsageError("Nobody to sign as. Set --did or PROF_DID, or use --demo iris.");
  }
  if (key === undefined) {
    throw new UsageError("No key to sign with. Set --key or PROF_KEY; make one with: prof keygen");
  }
  return { did, privateKey: readPrivateKey(key, io.err) };
}

/** For endpoints that have a DID in their path whatever the credential. */
export function requireProfile({ profileDid }: Connection): Did {
  if (profileDid !== null) return profileDid;
  throw new UsageError("Whose profile? Name the owner's DID.");
}

function profileOf(given: Given, settings: Settings): Did | null {
  const named = given.positional("[user]") ?? given.positional("<user>") ?? given.text("user");
  if (named !== undefined) return settings.didOf(named);
  if (settings.token !== undefined) return null;
  if (settings.did?.startsWith("did:prof:user:")) return settings.did;
  throw new UsageError("Whose profile? Name the owner's DID, like did:prof:user:local:alice.");
}

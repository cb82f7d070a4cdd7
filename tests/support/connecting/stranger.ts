import { lookup } from "node:dns/promises";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

// A server of a stranger's on loopback, over TLS, under the name client.test.

/** Made for these tests. */
export const strangersKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgp04P2oE8MRO7fQLQ
2WaJz0r1/vdegw+IoLnxTdzTny+hRANCAARBXhILyWaX1bauhI6MIhxWbw0Eu5UG
XAkDBPQVpfOcwEIqGy0qTHhvhOnUIgxDo03aW6PHzE9vXC+103n0UxRW
-----END PRIVATE KEY-----`;
export const strangersCertificate = `-----BEGIN CERTIFICATE-----
MIIBrTCCAVKgAwIBAgIUbrjyAozpvuVdZWiQre2aKt8yJAswCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLY2xpZW50LnRlc3QwIBcNMjYxMTI3MDMxNDAyWhgPMjEyNjEx
MDMwMzE0MDJaMBYxFDASBgNVBAMMC2NsaWVudC50ZXN0MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEQV4SC8lml9W2roSOjCIcVm8NBLuVBlwJAwT0FaXznMBCKhst
Kkx4b4Tp1CIMQ6NN2lujx8xPb1wvtdN59FMUVqN8MHowHQYDVR0OBBYEFJagNzfP
y3nP+M0RKOxWRdpiDj4eMB8GA1UdIwQYMBaAFJagNzfPy3nP+M0RKOxWRdpiDj4e
MA8GA1UdEwEB/wQFMAMBAf8wJwYDVR0RBCAwHoILY2xpZW50LnRlc3SCCWxvY2Fs
aG9zdIcEfwAAATAKBggqhkjOPQQDAgNJADBGAiEAt7ZbGq0laZytsRP6zRT0fTCX
X/Sk8/CJqrFqpRrgqWwCIQCFViDgq9aZLgxUVs4hRlXDseOwGXty4o347rLodCNJ
FA==
-----END CERTIFICATE-----`;

/** What reading from it needs: it is known to no name server. */
export const atStranger = {
  addressesOf: (name: string) => lookup(name, { all: true }),
  ca: strangersCertificate,
};

/** Returns its port. Await it at the top of the file. */
export async function startStranger(answer: RequestListener): Promise<number> {
  const server = createServer({ key: strangersKey, cert: strangersCertificate }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

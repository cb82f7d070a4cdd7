"use client";

import { useRef, useState } from "react";
import { Button } from "../button";
import { Icon } from "../icon";
import { LongField } from "./fields/long-field";

interface PublicKeyFieldProps {
  label: string;
  hint: string;
  /** The name of the file that the private key is saved in. */
  file: string;
}

/** A public key: pasted, or of a pair that this browser makes. */
export function PublicKeyField({ label, hint, file }: PublicKeyFieldProps) {
  const [privatePem, setPrivatePem] = useState<string | null>(null);
  const [isUnable, setUnable] = useState(false);
  const maker = useRef<HTMLDivElement>(null);
  async function make() {
    const field = maker.current?.closest("form")?.elements.namedItem("publicKey");
    if (!(field instanceof HTMLTextAreaElement)) return;
    try {
      const pair = await newPair();
      save(file, pair.privatePem);
      setPrivatePem(pair.privatePem);
      field.value = pair.publicPem;
    } catch {
      setUnable(true);
    }
  }
  return (
    <div ref={maker}>
      <LongField
        name="publicKey"
        label={label}
        required
        rows={4}
        spellCheck={false}
        className="font-mono"
        hint={hint}
      />
      <div className="mt-2 hidden flex-wrap items-center gap-3 scripting:flex">
        <Button look="secondary" onClick={make}>
          <Icon icon="key" />
          Make a key here
        </Button>
        <p role="status" className="min-w-0 flex-1 basis-60 text-small text-muted">
          {isUnable ? (
            "This browser cannot make one. Paste a public key that was made elsewhere."
          ) : privatePem === null ? (
            "The private half becomes a file on this device, and is never sent."
          ) : (
            <Made file={file} privatePem={privatePem} />
          )}
        </p>
      </div>
    </div>
  );
}

function Made({ file, privatePem }: { file: string; privatePem: string }) {
  return (
    <>
      Your browser was asked to save the private key as {file}. Check that it is there: nothing else
      has it.{" "}
      <button type="button" className="link font-medium" onClick={() => save(file, privatePem)}>
        Save it again
      </button>{" "}
      while this page is open. Keep other users of the device out of it: chmod 600 {file}
    </>
  );
}

async function newPair(): Promise<{ privatePem: string; publicPem: string }> {
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  if (!("privateKey" in pair)) throw new Error("this is no pair");
  const [pkcs8, spki] = await Promise.all([
    crypto.subtle.exportKey("pkcs8", pair.privateKey),
    crypto.subtle.exportKey("spki", pair.publicKey),
  ]);
  return { privatePem: pemOf("PRIVATE KEY", pkcs8), publicPem: pemOf("PUBLIC KEY", spki) };
}

// An Ed25519 key fits on one line of a PEM.
function pemOf(label: string, der: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(der)));
  return `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
}

const savingMs = 60_000;

function save(file: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-pem-file" }));
  link.download = file;
  link.click();
  // A browser may ask where to save it, and reads it then.
  setTimeout(() => URL.revokeObjectURL(link.href), savingMs);
}

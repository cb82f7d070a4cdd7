// The package has no types; this is the one function used here.
declare module "sodium-native" {
  const sodium: {
    crypto_sign_verify_detached(
      signature: Uint8Array,
      text: Uint8Array,
      publicKey: Uint8Array,
    ): boolean;
  };
  export default sodium;
}

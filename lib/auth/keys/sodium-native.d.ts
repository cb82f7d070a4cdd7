// The one function of the package that is called here; it has no types of its own.
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

/** Holds "off" where somebody switched the single keys off. */
export const keysCookie = "inbox-keys";

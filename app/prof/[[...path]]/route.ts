import { unknownPath } from "@/lib/http/protocol-route";

// Whatever is not an endpoint of the protocol gets the envelope, never a page.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath();

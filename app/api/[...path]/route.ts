import { unknownPath } from "@/lib/http/protocol-route";

// Else Next.js would render its page for what is not found, for whoever asks.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath();

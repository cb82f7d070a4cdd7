import { unknownPath } from "@/lib/http/protocol-route";

// Without it Next.js renders a whole page for an unknown path.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath();

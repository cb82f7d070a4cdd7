import { stopMailRoute } from "@/lib/http/session/routes/stop-mail-route";

/** RFC 8058: mail programs end a kind of mail by one POST, without a cookie. */
export const POST = stopMailRoute;

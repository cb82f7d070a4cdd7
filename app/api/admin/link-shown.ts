import { gatewayUrl } from "@/app/docs/_parts/gateway-url";
import type { IssuedLink } from "@/lib/services/admin/users/links";

/** Whole, on the only occasion there is. */
export async function linkShown({ token, expiresAt }: IssuedLink) {
  return { url: `${await gatewayUrl()}/link/${token}`, expiresAt: expiresAt.toISOString() };
}

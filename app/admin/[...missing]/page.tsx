import { missing } from "@/lib/http/page-failure";
import { adminContext } from "@/lib/http/session/admin";
import NotFound from "../not-found";

export default async function MissingPage() {
  await adminContext();
  return missing(<NotFound />);
}

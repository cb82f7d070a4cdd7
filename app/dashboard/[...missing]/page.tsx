import { missing } from "@/lib/http/page-failure";
import NotFound from "../not-found";

/** Keeps the side around the words for an address that names nothing. */
export default function MissingPage() {
  return missing(<NotFound />);
}

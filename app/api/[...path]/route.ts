import { apiRoute } from "@/lib/http/api/dispatch";
import { adminApi, ownerApi } from "@/lib/http/api/tables";

const route = apiRoute([...Object.values(ownerApi), ...Object.values(adminApi)]);

export {
  route as DELETE,
  route as GET,
  route as HEAD,
  route as OPTIONS,
  route as PATCH,
  route as POST,
  route as PUT,
};

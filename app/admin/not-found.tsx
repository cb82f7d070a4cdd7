import { Missing } from "../_components/states/missing";

export default function NotFound() {
  return <Missing home="/admin" homeName="Go to the overview" />;
}

import { Missing } from "../_components/states/missing";

export default function NotFound() {
  return <Missing home="/dashboard" homeName="Go to the overview" />;
}

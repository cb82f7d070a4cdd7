import { DocsPage } from "./_parts/docs-page";

export default function DocsStartPage() {
  return <DocsPage name="index" />;
}

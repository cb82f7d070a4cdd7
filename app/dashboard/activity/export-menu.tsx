import { Button } from "../../_components/button";
import { Icon } from "../../_components/icon";
import { MenuWords, menuItem } from "../../_components/menu";
import { type ExportView, exportParams } from "./params";

/** The log as files, narrowed like the page. */
export function ExportMenu({ view }: { view: ExportView }) {
  return (
    <>
      <Button look="secondary" popoverTarget="export">
        <Icon icon="download-simple" />
        Export
      </Button>
      <div id="export" popover="auto" className="menu">
        <p className="max-w-72 px-3 py-2 text-small text-muted">
          All events, filtered as on this page. The JSON file says how anybody can check its seals.
        </p>
        {/* Files, not pages: plain links, which nobody loads ahead. */}
        <a href={exportParams("csv").href(view)} type="text/csv" className={menuItem}>
          <MenuWords icon="file-text">Export CSV</MenuWords>
        </a>
        <a href={exportParams("json").href(view)} type="application/json" className={menuItem}>
          <MenuWords icon="file-text">Export JSON</MenuWords>
        </a>
      </div>
    </>
  );
}

export function findBrowser(): string | null;
export function findRedis(): string | null;
export function findFaketime(): string | null;

import type { Browser, Page } from "playwright";

export interface Demo {
  url: string;
  password: string;
  stop(): Promise<void>;
}
export interface Screen {
  name: string;
  address: string;
}
export type Theme = "light" | "dark";

export const folder: string;
export const themes: Theme[];
export const viewport: { width: number; height: number };
export const scale: number;
export const screens: Screen[];
export function startDemo(): Promise<Demo>;
export function eachScreen(
  browser: Browser,
  demo: Demo,
  visit: (screen: Screen, page: Page) => Promise<void>,
): Promise<void>;
export function wordsOf(page: Page): Promise<string>;
export function timeless(text: string): string;
export function wordsFile(name: string): string;
export function pictureFile(name: string, theme: Theme): string;

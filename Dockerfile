# The image of the gateway: the npm package (scripts/package.ts) on a slim Node.
FROM node:26-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci
COPY . .
RUN npm run pack
# The image has Node already, so the copy that the package brings along is removed.
RUN npm install --prefix /opt/switchboard ./dist/switchboard-gateway-*.tgz \
  && rm -rf /opt/switchboard/node_modules/node-* /opt/switchboard/node_modules/.bin/node \
  && install -d -o 1000 -g 1000 /opt/switchboard/node_modules/switchboard-gateway/node_modules/.cache/switchboard
# Compiled code is cached by user, so the programs run once as the user of the image.
USER 1000:1000
RUN node deploy/docker/warm-up.js /opt/switchboard/node_modules/switchboard-gateway

FROM node:26-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY --from=build /opt/switchboard /opt/switchboard
RUN install -d -o 1000 -g 1000 -m 700 /data \
  && ln -s /opt/switchboard/node_modules/.bin/switchboard /usr/local/bin/switchboard \
  && ln -s /opt/switchboard/node_modules/.bin/switchboard-sandbox /usr/local/bin/switchboard-sandbox
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
# The launcher is replaced by the server, which then receives SIGTERM itself.
ENTRYPOINT ["switchboard"]
CMD ["serve"]

# The image of the gateway: the npm package (scripts/package.ts) on a slim Node.
ARG NODE_IMAGE=node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci
COPY . .
RUN npm run pack
# Installed as the lock file of the package says. The image has Node already, so the copy that the package depends on is removed.
RUN install -d /opt/switchboard \
  && tar -xzf dist/switchboard-gateway-*.tgz --strip-components=1 --directory /opt/switchboard \
  && cp /opt/switchboard/lock/npm-shrinkwrap.json /opt/switchboard \
  && npm ci --prefix /opt/switchboard --ignore-scripts \
  && rm -rf /opt/switchboard/node_modules/node-* /opt/switchboard/node_modules/.bin/node \
  && install -d -o 1000 -g 1000 /opt/switchboard/node_modules/.cache/switchboard
# Compiled code is cached by user, so the programs run once as the user of the image.
USER 1000:1000
RUN node deploy/docker/warm-up.js /opt/switchboard

FROM ${NODE_IMAGE}
# `--build-arg FFMPEG=true` adds the programs that prepare videos and voice messages.
ARG FFMPEG=false
RUN if [ "$FFMPEG" = true ]; then \
    apt-get update \
    && apt-get install --yes --no-install-recommends ffmpeg \
    && rm -rf /var/lib/apt/lists/*; \
  fi
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY --from=build /opt/switchboard /opt/switchboard
RUN install -d -o 1000 -g 1000 -m 700 /data \
  && ln -s /opt/switchboard/bin/switchboard.js /usr/local/bin/switchboard \
  && ln -s /opt/switchboard/bin/switchboard-sandbox.js /usr/local/bin/switchboard-sandbox
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
# The launcher is replaced by the server, which then receives SIGTERM itself.
ENTRYPOINT ["switchboard"]
CMD ["serve"]

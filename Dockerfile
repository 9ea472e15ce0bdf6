# Runs specwright, by default `serve` with the Directory service. docs/ci.md shows how to serve your own spec.

FROM node:22-slim AS build
WORKDIR /source
# All of it: npm ci reads the manifests of the workspaces, and then builds.
COPY . .
RUN npm ci
RUN mkdir /package && npm pack --pack-destination /package

FROM node:22-slim
ENV NODE_ENV=production
COPY --from=build /package /package
RUN npm install --global /package/specwright-*.tgz && npm cache clean --force
WORKDIR /data
RUN chown node:node /data
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(response => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["specwright"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]

-- Run once by the database's container: the gateway's role owns its database, and nothing else.
\set password `cat /run/secrets/database_password`
CREATE ROLE gateway LOGIN PASSWORD :'password';
CREATE DATABASE gateway OWNER gateway;
